PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_quotient_orders` (
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
INSERT INTO `__new_quotient_orders`("id", "packageType", "firstName", "lastName", "email", "phone", "businessName", "tradeType", "preferredManufacturer", "warrantyBoostPrice", "cheapestCarePlanPrice", "generalHourlyRate", "generalInstallRate", "generalDayRate", "vatRegistered", "additionalRequirements", "agreeToTerms", "net", "vat", "total", "address", "customerId", "stripeInvoiceId", "status", "createdAt", "paidAt") SELECT "id", "packageType", "firstName", "lastName", "email", "phone", "businessName", "tradeType", "preferredManufacturer", "warrantyBoostPrice", "cheapestCarePlanPrice", "generalHourlyRate", "generalInstallRate", "generalDayRate", "vatRegistered", "additionalRequirements", "agreeToTerms", "net", "vat", "total", "address", "customerId", "stripeInvoiceId", "status", "createdAt", "paidAt" FROM `quotient_orders`;--> statement-breakpoint
DROP TABLE `quotient_orders`;--> statement-breakpoint
ALTER TABLE `__new_quotient_orders` RENAME TO `quotient_orders`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `quotient_orders_stripeInvoiceId_unique` ON `quotient_orders` (`stripeInvoiceId`);--> statement-breakpoint
CREATE INDEX `quotient_orders_customer` ON `quotient_orders` (`customerId`);