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
CREATE TABLE `revenue_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`subscriptionId` text NOT NULL,
	`kind` text NOT NULL,
	`tierSlug` text NOT NULL,
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
CREATE INDEX `revenue_changes_month` ON `revenue_changes` (`month`,`kind`,`before`,`after`);--> statement-breakpoint
CREATE INDEX `revenue_changes_customer` ON `revenue_changes` (`customerId`,`id`);--> statement-breakpoint
DROP INDEX `quotient_orders_stripePaymentIntentId_unique`;--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `address` text;--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `customerId` text REFERENCES customers(id);--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `stripeInvoiceId` text;--> statement-breakpoint
CREATE UNIQUE INDEX `quotient_orders_stripeInvoiceId_unique` ON `quotient_orders` (`stripeInvoiceId`);--> statement-breakpoint
CREATE INDEX `quotient_orders_customer` ON `quotient_orders` (`customerId`);--> statement-breakpoint
ALTER TABLE `quotient_orders` DROP COLUMN `stripePaymentIntentId`;--> statement-breakpoint
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
CREATE INDEX `commission_ledger_upsell` ON `commission_ledger` (`manualCommissionId`);--> statement-breakpoint
CREATE UNIQUE INDEX `commission_ledger_refund` ON `commission_ledger` (`providerRefundId`) WHERE "kind" = 'clawback';--> statement-breakpoint
CREATE INDEX `commission_ledger_customer` ON `commission_ledger` (`customerId`,`paymentMonth`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `stripeScheduleId` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierSlug` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierAt` text;--> statement-breakpoint
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
CREATE INDEX `credit_notes_issued` ON `credit_notes` (`issuedOn`);--> statement-breakpoint
ALTER TABLE `manual_commissions` ADD `deletedAt` text;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `lines` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `quotientOrderId` text;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_replacesId_unique` ON `invoices` (`replacesId`);