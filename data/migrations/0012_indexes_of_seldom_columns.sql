DROP INDEX `commission_ledger_reverses`;--> statement-breakpoint
DROP INDEX `commission_ledger_upsell`;--> statement-breakpoint
CREATE INDEX `commission_ledger_reverses` ON `commission_ledger` (`reverses`) WHERE "reverses" is not null;--> statement-breakpoint
CREATE INDEX `commission_ledger_upsell` ON `commission_ledger` (`manualCommissionId`) WHERE "manualCommissionId" is not null;--> statement-breakpoint
DROP INDEX `customers_former_user`;--> statement-breakpoint
CREATE INDEX `customers_former_user` ON `customers` (`formerUserId`) WHERE "formerUserId" is not null;--> statement-breakpoint
CREATE INDEX `invoices_replaces` ON `invoices` (`replacesId`) WHERE "replacesId" is not null;