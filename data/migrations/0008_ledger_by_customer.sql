DROP INDEX `commission_ledger_customer`;--> statement-breakpoint
CREATE INDEX `commission_ledger_customer` ON `commission_ledger` (`customerId`,`paymentMonth`,`isSettlement`,`amount`);