CREATE TABLE `media_checks` (
	`file` text PRIMARY KEY NOT NULL,
	`checkedAt` text NOT NULL,
	`wholeAt` text,
	`isWhole` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `lapsesAt` text;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `senderRefusedAt` text;