ALTER TABLE `provider_invoices` ADD `freeMonthNet` integer;--> statement-breakpoint
UPDATE `provider_invoices` SET `freeMonthNet` = (
  SELECT sum(json_extract(value, '$.unitPrice') * json_extract(value, '$.quantity'))
  FROM json_each(`lines`) WHERE json_extract(value, '$.isPeriod')
) WHERE `billingReason` = 'subscription_cycle' AND `total` = 0
  AND EXISTS (SELECT 1 FROM json_each(`lines`) WHERE json_extract(value, '$.isPeriod')
    AND json_extract(value, '$.unitPrice') > 0 AND json_extract(value, '$.net') = 0);
