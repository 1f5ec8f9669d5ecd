-- As `shared/rules/csv.ts`: half of Europe's spreadsheets part cells at a semicolon, and some take the wide signs of East Asia
-- for the start of a formula. The rows that are there are written again, with the guards on them taken off and put back.
DROP TRIGGER `document_csv_rows_no_replace`;--> statement-breakpoint
DROP TRIGGER `document_csv_rows_no_update`;--> statement-breakpoint
DROP TRIGGER `document_csv_rows_no_delete`;--> statement-breakpoint
DROP VIEW `documents_as_csv`;--> statement-breakpoint
CREATE VIEW `documents_as_csv` AS
SELECT "series", "taxPoint", "sequence", (
	SELECT group_concat(iif("cell" GLOB '*[",;' || char(13, 10) || ']*', '"' || replace("cell", '"', '""') || '"', "cell"), ',')
	FROM (
		SELECT "key", iif("type" = 'text' AND "value" GLOB '[=+@＝＋－＠' || char(9, 13, 10) || '-]*', '''' || "value", coalesce("value", '')) AS "cell"
		FROM json_each("cells") ORDER BY "key"
	)
) || char(13, 10) AS "csv"
FROM (
	SELECT 'invoice' AS "series", i."taxPoint" AS "taxPoint", i."sequence" AS "sequence", json_array(
		'Invoice', i."number", i."issuedOn", i."taxPoint", json_extract(i."customer", '$.name'), json_extract(i."customer", '$.businessName'),
		(SELECT coalesce(group_concat("text", '; '), '') FROM (
			SELECT json_extract("value", '$.description') AS "text" FROM json_each(i."lines") ORDER BY "key"
		)),
		iif(i."net" % 100, i."net" / 100.0, i."net" / 100),
		iif(i."vat" % 100, i."vat" / 100.0, i."vat" / 100),
		iif(i."gross" % 100, i."gross" / 100.0, i."gross" / 100),
		coalesce((SELECT "number" FROM `invoices` WHERE "id" = i."replacesId"), i."takesPlaceOf"),
		iif(i."isRetroactive", 'retroactive', '')
	) AS "cells"
	FROM `invoices` i
	UNION ALL
	SELECT 'credit_note', iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"), n."sequence", json_array(
		'Credit note', n."number", n."issuedOn", iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"),
		json_extract(i."customer", '$.name'), json_extract(i."customer", '$.businessName'),
		(SELECT coalesce(group_concat("text", '; '), '') FROM (
			SELECT json_extract("value", '$.description') AS "text" FROM json_each(i."lines") ORDER BY "key"
		)),
		iif(n."net" % 100, -n."net" / 100.0, -n."net" / 100),
		iif(n."vat" % 100, -n."vat" / 100.0, -n."vat" / 100),
		iif(n."gross" % 100, -n."gross" / 100.0, -n."gross" / 100),
		i."number",
		n."reason"
	)
	FROM `credit_notes` n
	JOIN `invoices` i ON i."id" = n."invoiceId"
);--> statement-breakpoint
DELETE FROM `document_csv_rows`;--> statement-breakpoint
INSERT INTO `document_csv_rows` ("series", "taxPoint", "sequence", "csv")
SELECT "series", "taxPoint", "sequence", "csv" FROM `documents_as_csv`;--> statement-breakpoint
CREATE TRIGGER `document_csv_rows_no_replace` BEFORE INSERT ON `document_csv_rows`
WHEN EXISTS (SELECT 1 FROM `document_csv_rows` WHERE "series" = new."series" AND "taxPoint" = new."taxPoint" AND "sequence" = new."sequence") BEGIN
	SELECT raise(abort, 'an issued document has its row');
END;--> statement-breakpoint
CREATE TRIGGER `document_csv_rows_no_update` BEFORE UPDATE ON `document_csv_rows` BEGIN
	SELECT raise(abort, 'an issued document is never changed');
END;--> statement-breakpoint
CREATE TRIGGER `document_csv_rows_no_delete` BEFORE DELETE ON `document_csv_rows` BEGIN
	SELECT raise(abort, 'an issued document is never deleted');
END;
