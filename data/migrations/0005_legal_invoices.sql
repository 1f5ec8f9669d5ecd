DROP INDEX `credit_notes_issued`;--> statement-breakpoint
CREATE INDEX `credit_notes_issued` ON `credit_notes` (`issuedOn`,`sequence`);--> statement-breakpoint
CREATE INDEX `invoices_tax_point` ON `invoices` (`taxPoint`,`sequence`);--> statement-breakpoint
CREATE INDEX `invoices_chain` ON `invoices` (`providerInvoiceId`);--> statement-breakpoint
-- What was issued stays as it is, and each series has no gap. `insert or replace` fires no delete trigger, so the
-- insert trigger refuses an id that is there already.
CREATE TRIGGER `invoices_no_update` BEFORE UPDATE ON `invoices` BEGIN
	SELECT raise(abort, 'an issued invoice is never changed');
END;--> statement-breakpoint
CREATE TRIGGER `invoices_no_delete` BEFORE DELETE ON `invoices` BEGIN
	SELECT raise(abort, 'an issued invoice is never deleted');
END;--> statement-breakpoint
CREATE TRIGGER `invoices_series` BEFORE INSERT ON `invoices`
WHEN new."sequence" <> (SELECT coalesce(max("sequence"), 0) + 1 FROM `invoices`)
	OR EXISTS (SELECT 1 FROM `invoices` WHERE "id" = new."id" OR "number" = new."number" OR "replacesId" = new."replacesId") BEGIN
	SELECT raise(abort, 'the next invoice has the next number');
END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_update` BEFORE UPDATE ON `credit_notes` BEGIN
	SELECT raise(abort, 'an issued credit note is never changed');
END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_delete` BEFORE DELETE ON `credit_notes` BEGIN
	SELECT raise(abort, 'an issued credit note is never deleted');
END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_series` BEFORE INSERT ON `credit_notes`
WHEN new."sequence" <> (SELECT coalesce(max("sequence"), 0) + 1 FROM `credit_notes`)
	OR EXISTS (SELECT 1 FROM `credit_notes` WHERE "id" = new."id" OR "number" = new."number"
		OR "providerRefundId" = new."providerRefundId") BEGIN
	SELECT raise(abort, 'the next credit note has the next number');
END;
