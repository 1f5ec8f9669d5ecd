ALTER TABLE `subscriptions` ADD `chargeVatRate` real DEFAULT 20 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `chargeDays` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierPrice` text;--> statement-breakpoint
-- Until the next reading: the known rate that a month's net comes to. One that has ended is read no more.
UPDATE `subscriptions` SET "chargeVatRate" = coalesce((
	SELECT "column1" FROM (VALUES (20), (0), (5), (12.5), (17.5))
	WHERE abs("chargeTotal" * "column1" / (100.0 + "column1") - "chargeTotal" + "monthlyNet" * "chargeMonths") <= "chargeMonths" + 0.5
	LIMIT 1
), 20) WHERE "chargeTotal" IS NOT NULL;
