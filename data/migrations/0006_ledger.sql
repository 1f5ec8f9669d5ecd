DROP INDEX `invoices_revenue`;--> statement-breakpoint
CREATE INDEX `invoices_revenue` ON `invoices` (`taxPoint`,`tierSlug`,`net`,`vat`,`gross`);--> statement-breakpoint
ALTER TABLE `commission_ledger` ADD `isSettlement` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `commission_ledger_lines` ON `commission_ledger` (`month`,`id`);--> statement-breakpoint
CREATE INDEX `commission_ledger_reverses` ON `commission_ledger` (`reverses`);--> statement-breakpoint
CREATE INDEX `subscriptions_created` ON `subscriptions` (`created`);--> statement-breakpoint
CREATE TRIGGER `commission_ledger_no_update` BEFORE UPDATE ON `commission_ledger` BEGIN
	SELECT raise(ABORT, 'The commission ledger is only ever appended to.');
END;--> statement-breakpoint
CREATE TRIGGER `commission_ledger_no_delete` BEFORE DELETE ON `commission_ledger` BEGIN
	SELECT raise(ABORT, 'The commission ledger is only ever appended to.');
END;--> statement-breakpoint
CREATE TRIGGER `revenue_changes_no_update` BEFORE UPDATE ON `revenue_changes` BEGIN
	SELECT raise(ABORT, 'Changes of revenue are only ever appended to.');
END;--> statement-breakpoint
CREATE TRIGGER `revenue_changes_no_delete` BEFORE DELETE ON `revenue_changes` BEGIN
	SELECT raise(ABORT, 'Changes of revenue are only ever appended to.');
END;--> statement-breakpoint
CREATE TRIGGER `revenue_months_no_update` BEFORE UPDATE ON `revenue_months` BEGIN
	SELECT raise(ABORT, 'A month that is frozen stays as it is.');
END;--> statement-breakpoint
CREATE TRIGGER `revenue_months_no_delete` BEFORE DELETE ON `revenue_months` BEGIN
	SELECT raise(ABORT, 'A month that is frozen stays as it is.');
END;--> statement-breakpoint
-- `insert or replace` fires no delete trigger.
CREATE TRIGGER `commission_ledger_no_replace` BEFORE INSERT ON `commission_ledger`
WHEN EXISTS (SELECT 1 FROM `commission_ledger` WHERE "id" = new."id") BEGIN
	SELECT raise(ABORT, 'The commission ledger is only ever appended to.');
END;
