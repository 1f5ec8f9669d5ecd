CREATE TRIGGER `credit_notes_within_invoice` BEFORE INSERT ON `credit_notes`
WHEN EXISTS (
	SELECT 1 FROM `invoices` WHERE "id" = new."invoiceId" AND (
		"gross" < new."gross" + (SELECT coalesce(sum("gross"), 0) FROM `credit_notes` WHERE "invoiceId" = new."invoiceId")
		OR "net" < new."net" + (SELECT coalesce(sum("net"), 0) FROM `credit_notes` WHERE "invoiceId" = new."invoiceId")
		OR "vat" < new."vat" + (SELECT coalesce(sum("vat"), 0) FROM `credit_notes` WHERE "invoiceId" = new."invoiceId")
	)) BEGIN
	SELECT raise(abort, 'credit notes take back no more than their invoice');
END;
