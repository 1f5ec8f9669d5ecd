CREATE TABLE `skipped_numbers` (
	`series` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`reason` text NOT NULL,
	`createdAt` text NOT NULL,
	PRIMARY KEY(`series`, `first`),
	CONSTRAINT "skipped_numbers_series_kind" CHECK("series" in ('invoice', 'credit_note')),
	CONSTRAINT "skipped_numbers_order" CHECK("first" <= "last")
);--> statement-breakpoint
CREATE TRIGGER `skipped_numbers_no_update` BEFORE UPDATE ON `skipped_numbers` BEGIN
	SELECT raise(abort, 'a number that was left out stays out');
END;--> statement-breakpoint
CREATE TRIGGER `skipped_numbers_no_delete` BEFORE DELETE ON `skipped_numbers` BEGIN
	SELECT raise(abort, 'a number that was left out stays out');
END;--> statement-breakpoint
CREATE TRIGGER `skipped_numbers_next` BEFORE INSERT ON `skipped_numbers`
WHEN new."first" <> CASE new."series"
	WHEN 'invoice' THEN max((SELECT coalesce(max("sequence"), 0) FROM `invoices`),
		(SELECT coalesce(max("last"), 0) FROM `skipped_numbers` WHERE "series" = 'invoice')) + 1
	ELSE max((SELECT coalesce(max("sequence"), 0) FROM `credit_notes`),
		(SELECT coalesce(max("last"), 0) FROM `skipped_numbers` WHERE "series" = 'credit_note')) + 1 END BEGIN
	SELECT raise(abort, 'numbers are left out from the next one on');
END;--> statement-breakpoint
DROP TRIGGER `invoices_series`;--> statement-breakpoint
CREATE TRIGGER `invoices_series` BEFORE INSERT ON `invoices`
WHEN new."sequence" <> max((SELECT coalesce(max("sequence"), 0) FROM `invoices`),
		(SELECT coalesce(max("last"), 0) FROM `skipped_numbers` WHERE "series" = 'invoice')) + 1
	OR EXISTS (SELECT 1 FROM `invoices` WHERE "id" = new."id" OR "number" = new."number" OR "replacesId" = new."replacesId") BEGIN
	SELECT raise(abort, 'the next invoice has the next number');
END;--> statement-breakpoint
DROP TRIGGER `credit_notes_series`;--> statement-breakpoint
CREATE TRIGGER `credit_notes_series` BEFORE INSERT ON `credit_notes`
WHEN new."sequence" <> max((SELECT coalesce(max("sequence"), 0) FROM `credit_notes`),
		(SELECT coalesce(max("last"), 0) FROM `skipped_numbers` WHERE "series" = 'credit_note')) + 1
	OR EXISTS (SELECT 1 FROM `credit_notes` WHERE "id" = new."id" OR "number" = new."number"
		OR "providerRefundId" = new."providerRefundId") BEGIN
	SELECT raise(abort, 'the next credit note has the next number');
END;
