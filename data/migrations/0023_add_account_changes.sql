CREATE TABLE `email_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`fromEmail` text NOT NULL,
	`toEmail` text NOT NULL,
	`confirmHash` text NOT NULL,
	`undoHash` text,
	`requestedAt` text NOT NULL,
	`expiresAt` text NOT NULL,
	`confirmedAt` text,
	`undoneAt` text,
	`providerToldAt` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_confirmHash_unique` ON `email_changes` (`confirmHash`);--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_undoHash_unique` ON `email_changes` (`undoHash`);--> statement-breakpoint
CREATE INDEX `email_changes_user` ON `email_changes` (`userId`,`requestedAt`);--> statement-breakpoint
CREATE TABLE `mail_opt_outs` (
	`userId` text NOT NULL,
	`purpose` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`userId`, `purpose`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_opt_outs_purpose" CHECK("purpose" in ('call-reminder', 'card-expiry'))
);
--> statement-breakpoint
CREATE TABLE `ended_logins` (
	`sid` text PRIMARY KEY NOT NULL,
	`endedAt` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_logins_at` ON `ended_logins` (`endedAt`);--> statement-breakpoint
CREATE TABLE `cancellations` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`cause` text NOT NULL,
	`cancelledAt` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cancellations_cause_unique` ON `cancellations` (`cause`);--> statement-breakpoint
CREATE INDEX `cancellations_customer` ON `cancellations` (`customerId`,`cancelledAt`);--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `purpose` text;