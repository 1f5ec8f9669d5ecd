ALTER TABLE `credit_notes` ADD `lines` text;--> statement-breakpoint
ALTER TABLE `customer_credits` ADD `money` integer;--> statement-breakpoint
ALTER TABLE `provider_refunds` ADD `lines` text;;--> statement-breakpoint
-- What an earlier version gave back of a payment by an invoice below nought was money.
UPDATE `customer_credits` SET "money" = 0 - "amount" WHERE EXISTS (SELECT 1 FROM `provider_refunds` r WHERE r."id" = `customer_credits`."invoice");--> statement-breakpoint
-- A credit note that names lines has a row for each of their rates. No document has any yet.
DROP VIEW `documents_as_csv`;--> statement-breakpoint
CREATE VIEW `documents_as_csv` AS
SELECT "series", "taxPoint", "sequence", (
	SELECT group_concat((
		SELECT group_concat(iif("cell" GLOB '*[",;' || char(13, 10) || ']*', '"' || replace("cell", '"', '""') || '"', "cell"), ',')
		FROM (
			SELECT "key", iif("type" = 'text' AND "value" GLOB '[=+@＝＋－＠' || char(9, 13, 10) || '-]*', '''' || "value", coalesce("value", '')) AS "cell"
			FROM json_each(r."value") ORDER BY "key"
		)
	) || char(13, 10), '')
	FROM (SELECT "value" FROM json_each("rates") ORDER BY "key") r
) AS "csv"
FROM (
	SELECT 'invoice' AS "series", i."taxPoint" AS "taxPoint", i."sequence" AS "sequence", (
		SELECT json_group_array(json_array(
			'Invoice', i."number", i."issuedOn", i."taxPoint", json_extract(i."customer", '$.name'), json_extract(i."customer", '$.businessName'),
			coalesce("text", ''),
			iif("net" % 100, "net" / 100.0, "net" / 100),
			iif("vat" % 100, "vat" / 100.0, "vat" / 100),
			iif("gross" % 100, "gross" / 100.0, "gross" / 100),
			coalesce((SELECT "number" FROM `invoices` WHERE "id" = i."replacesId"), i."takesPlaceOf"),
			iif(i."isRetroactive", 'retroactive', '')
		)) FROM (
			SELECT "text", iif("rates" = 1, i."net", "net") AS "net", iif("rates" = 1, i."vat", "vat") AS "vat",
				iif("rates" = 1, i."gross", "net" + "vat") AS "gross" FROM (
				SELECT "rate", group_concat("text", '; ') AS "text", sum("net") AS "net", sum("vat") AS "vat", count(*) OVER () AS "rates" FROM (
					SELECT json_extract("value", '$.rate') AS "rate", json_extract("value", '$.description') AS "text",
						json_extract("value", '$.net') AS "net", json_extract("value", '$.vat') AS "vat"
					FROM json_each(iif(json_array_length(i."lines") = 0, '[{}]', i."lines")) ORDER BY 1 DESC, "key"
				) GROUP BY "rate"
			) ORDER BY "rate" DESC
		)
	) AS "rates"
	FROM `invoices` i
	UNION ALL
	SELECT 'credit_note', iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"), n."sequence", (
		SELECT json_group_array(json_array(
			'Credit note', n."number", n."issuedOn", iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"),
			json_extract(i."customer", '$.name'), json_extract(i."customer", '$.businessName'),
			coalesce("text", ''),
			iif("net" % 100, -"net" / 100.0, -"net" / 100),
			iif("vat" % 100, -"vat" / 100.0, -"vat" / 100),
			iif("gross" % 100, -"gross" / 100.0, -"gross" / 100),
			i."number",
			n."reason"
		)) FROM (
			SELECT "text", "net", "vat", iif("rates" = 1, n."gross", "net" + "vat") AS "gross" FROM (
				SELECT "rate", "text", "rates",
					iif("rates" = 1, n."net", "netSeen" - lag("netSeen", 1, 0) OVER (ORDER BY "rate" DESC)) AS "net",
					iif("rates" = 1, n."vat", "vatSeen" - lag("vatSeen", 1, 0) OVER (ORDER BY "rate" DESC)) AS "vat"
				FROM (
				SELECT "rate", "text", count(*) OVER () AS "rates",
					coalesce(CAST(round(1.0 * n."net" * sum("net") OVER (ORDER BY "rate" DESC) / nullif(sum("net") OVER (), 0)) AS INTEGER), 0) AS "netSeen",
					coalesce(CAST(round(1.0 * n."vat" * sum("vat") OVER (ORDER BY "rate" DESC) / nullif(sum("vat") OVER (), 0)) AS INTEGER), 0) AS "vatSeen"
				FROM (
					SELECT "rate", group_concat("text", '; ') AS "text", sum("net") AS "net", sum("vat") AS "vat" FROM (
						SELECT json_extract("value", '$.rate') AS "rate", json_extract("value", '$.description') AS "text",
							json_extract("value", '$.net') AS "net", json_extract("value", '$.vat') AS "vat"
						FROM json_each(coalesce(n."lines", iif(json_array_length(i."lines") = 0, '[{}]', i."lines"))) ORDER BY 1 DESC, "key"
					) GROUP BY "rate"
				))
			) ORDER BY "rate" DESC
		)
	)
	FROM `credit_notes` n
	JOIN `invoices` i ON i."id" = n."invoiceId"
);
