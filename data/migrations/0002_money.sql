-- Nothing was ever written to the orders, credit notes and the ledger before this: they are made anew.
CREATE TABLE `card_changes` (
	`stripeSetupIntentId` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`openedAt` text NOT NULL,
	`closedAt` text,
	`outcome` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE INDEX `card_changes_open` ON `card_changes` (`customerId`) WHERE "closedAt" is null;--> statement-breakpoint
CREATE TABLE `revenue_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`subscriptionId` text NOT NULL,
	`kind` text NOT NULL,
	`tierSlug` text NOT NULL,
	`tierBefore` text,
	`before` integer NOT NULL,
	`after` integer NOT NULL,
	`at` text NOT NULL,
	`month` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`subscriptionId`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "revenue_changes_kind" CHECK("kind" in ('new', 'expansion', 'contraction', 'churn_voluntary', 'churn_failed_payment', 'reactivation')),
	CONSTRAINT "revenue_changes_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE INDEX `revenue_changes_month` ON `revenue_changes` (`month`,`kind`,`tierSlug`,`tierBefore`,`before`,`after`);--> statement-breakpoint
CREATE INDEX `revenue_changes_customer` ON `revenue_changes` (`customerId`,`id`);--> statement-breakpoint
CREATE TABLE `payment_methods` (
	`customerId` text PRIMARY KEY NOT NULL,
	`stripePaymentMethodId` text NOT NULL,
	`type` text NOT NULL,
	`brand` text,
	`last4` text,
	`expMonth` integer,
	`expYear` integer,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE TABLE `provider_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`providerInvoiceId` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`created` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`providerInvoiceId`) REFERENCES `provider_invoices`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "provider_refunds_status" CHECK("status" in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled'))
);
--> statement-breakpoint
CREATE INDEX `provider_refunds_invoice` ON `provider_refunds` (`providerInvoiceId`,`created`);--> statement-breakpoint
CREATE INDEX `provider_refunds_customer` ON `provider_refunds` (`customerId`);--> statement-breakpoint
DROP TABLE `quotient_orders`;--> statement-breakpoint
CREATE TABLE `quotient_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`packageType` text DEFAULT 'professional' NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`businessName` text NOT NULL,
	`tradeType` text,
	`preferredManufacturer` text,
	`warrantyBoostPrice` text,
	`cheapestCarePlanPrice` text,
	`generalHourlyRate` text,
	`generalInstallRate` text,
	`generalDayRate` text,
	`vatRegistered` text,
	`additionalRequirements` text,
	`agreeToTerms` integer NOT NULL,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`total` integer NOT NULL,
	`address` text,
	`customerId` text,
	`stripeInvoiceId` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`createdAt` text NOT NULL,
	`paidAt` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "quotient_orders_package" CHECK("packageType" in ('professional', 'master')),
	CONSTRAINT "quotient_orders_vat" CHECK("vatRegistered" is null or "vatRegistered" in ('yes', 'no')),
	CONSTRAINT "quotient_orders_status" CHECK("status" in ('pending', 'paid', 'refunded', 'cancelled')),
	CONSTRAINT "quotient_orders_trade" CHECK("tradeType" is null or "tradeType" in ('heating', 'plumbing', 'gas', 'electrical', 'bathroom', 'general', 'other')),
	CONSTRAINT "quotient_orders_maker" CHECK("preferredManufacturer" is null or "preferredManufacturer" in ('worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quotient_orders_stripeInvoiceId_unique` ON `quotient_orders` (`stripeInvoiceId`);--> statement-breakpoint
CREATE INDEX `quotient_orders_customer` ON `quotient_orders` (`customerId`);--> statement-breakpoint
DROP TABLE `commission_ledger`;--> statement-breakpoint
CREATE TABLE `commission_ledger` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`customerId` text,
	`invoiceId` text,
	`manualCommissionId` text,
	`reverses` text,
	`providerRefundId` text,
	`month` text NOT NULL,
	`paymentMonth` text NOT NULL,
	`isSettlement` integer DEFAULT false NOT NULL,
	`tierSlug` text,
	`net` integer NOT NULL,
	`rate` integer,
	`amount` integer NOT NULL,
	`dueOn` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`invoiceId`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`providerRefundId`) REFERENCES `provider_refunds`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "commission_ledger_tier" CHECK("tierSlug" is null or "tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "commission_ledger_kind" CHECK("kind" in ('invoice', 'upsell', 'clawback', 'payment', 'reversal'))
);
--> statement-breakpoint
CREATE INDEX `commission_ledger_month` ON `commission_ledger` (`month`,`kind`,`amount`);--> statement-breakpoint
CREATE UNIQUE INDEX `commission_ledger_invoice` ON `commission_ledger` (`invoiceId`) WHERE "kind" = 'invoice';--> statement-breakpoint
CREATE INDEX `commission_ledger_lines` ON `commission_ledger` (`month`,`id`);--> statement-breakpoint
CREATE INDEX `commission_ledger_reverses` ON `commission_ledger` (`reverses`);--> statement-breakpoint
CREATE INDEX `commission_ledger_upsell` ON `commission_ledger` (`manualCommissionId`);--> statement-breakpoint
CREATE UNIQUE INDEX `commission_ledger_refund` ON `commission_ledger` (`providerRefundId`) WHERE "kind" = 'clawback';--> statement-breakpoint
CREATE INDEX `commission_ledger_customer` ON `commission_ledger` (`customerId`,`paymentMonth`,`isSettlement`,`amount`);--> statement-breakpoint
DROP INDEX `invoices_revenue`;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_replacesId_unique` ON `invoices` (`replacesId`);--> statement-breakpoint
CREATE INDEX `invoices_tax_point` ON `invoices` (`taxPoint`,`sequence`);--> statement-breakpoint
CREATE INDEX `invoices_chain` ON `invoices` (`providerInvoiceId`);--> statement-breakpoint
CREATE INDEX `invoices_revenue` ON `invoices` (`taxPoint`,`tierSlug`,`net`,`vat`,`gross`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `stripeScheduleId` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierSlug` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierAt` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierNet` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_created` ON `subscriptions` (`created`);--> statement-breakpoint
DROP TABLE `credit_notes`;--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`number` text NOT NULL,
	`invoiceId` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`providerRefundId` text,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`gross` integer NOT NULL,
	`issuedOn` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`invoiceId`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`providerRefundId`) REFERENCES `provider_refunds`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "credit_notes_kind" CHECK("kind" in ('refund', 'correction', 'removal'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_sequence_unique` ON `credit_notes` (`sequence`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_number_unique` ON `credit_notes` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_providerRefundId_unique` ON `credit_notes` (`providerRefundId`);--> statement-breakpoint
CREATE INDEX `credit_notes_invoice` ON `credit_notes` (`invoiceId`);--> statement-breakpoint
CREATE INDEX `credit_notes_issued` ON `credit_notes` (`issuedOn`,`sequence`);--> statement-breakpoint
ALTER TABLE `manual_commissions` ADD `deletedAt` text;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `lines` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `quotientOrderId` text;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `attachment` text;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `isRepeatable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `resentAt` text;--> statement-breakpoint
CREATE INDEX `mail_outbox_status` ON `mail_outbox` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `mail_outbox_to` ON `mail_outbox` (`to`,`id`);--> statement-breakpoint
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
END;--> statement-breakpoint
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
