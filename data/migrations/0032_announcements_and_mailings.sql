CREATE TABLE `mail_agreements` (
	`userId` text NOT NULL,
	`purpose` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`userId`, `purpose`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_agreements_purpose" CHECK("purpose" in ('call-reminder', 'card-expiry', 'check-in', 'news'))
);
--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`tiers` text NOT NULL,
	`startsAt` text NOT NULL,
	`endsAt` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "announcements_time" CHECK("startsAt" < "endsAt"),
	CONSTRAINT "announcements_version" CHECK("version" >= 1)
);
--> statement-breakpoint
CREATE INDEX `announcements_end` ON `announcements` (`endsAt`);--> statement-breakpoint
CREATE TABLE `announcements_put_away` (
	`userId` text NOT NULL,
	`announcementId` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`userId`, `announcementId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`announcementId`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `announcements_put_away_of` ON `announcements_put_away` (`announcementId`);--> statement-breakpoint
CREATE TABLE `follow_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`kind` text NOT NULL,
	`occasion` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "follow_ups_kind" CHECK("kind" in ('after-joining', 'not-seen', 'card-expiring', 'coming-back'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `follow_ups_once` ON `follow_ups` (`userId`,`kind`,`occasion`);--> statement-breakpoint
CREATE INDEX `follow_ups_kind` ON `follow_ups` (`kind`,`at`);--> statement-breakpoint
CREATE TABLE `mailing_recipients` (
	`mailingId` text NOT NULL,
	`userId` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`reason` text,
	`queuedAt` text,
	PRIMARY KEY(`mailingId`, `userId`),
	FOREIGN KEY (`mailingId`) REFERENCES `mailings`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mailing_recipients_status" CHECK("status" in ('waiting', 'queued', 'left_out', 'stopped')),
	CONSTRAINT "mailing_recipients_reason" CHECK("reason" is null or "reason" in ('not-agreed', 'stopped', 'refused'))
);
--> statement-breakpoint
CREATE INDEX `mailing_recipients_status` ON `mailing_recipients` (`mailingId`,`status`,`queuedAt`);--> statement-breakpoint
CREATE INDEX `mailing_recipients_user` ON `mailing_recipients` (`userId`);--> statement-breakpoint
CREATE TABLE `mailings` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`purpose` text NOT NULL,
	`segment` text NOT NULL,
	`perMinute` integer NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`people` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	`startedAt` text,
	`finishedAt` text,
	CONSTRAINT "mailings_purpose" CHECK("purpose" in ('news', 'service')),
	CONSTRAINT "mailings_status" CHECK("status" in ('draft', 'sending', 'paused', 'stopped', 'sent')),
	CONSTRAINT "mailings_rate" CHECK("perMinute" >= 1)
);
--> statement-breakpoint
CREATE INDEX `mailings_status` ON `mailings` (`status`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_mail_opt_outs` (
	`userId` text NOT NULL,
	`purpose` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`userId`, `purpose`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_opt_outs_purpose" CHECK("purpose" in ('call-reminder', 'card-expiry', 'check-in', 'news'))
);
--> statement-breakpoint
INSERT INTO `__new_mail_opt_outs`("userId", "purpose", "at") SELECT "userId", "purpose", "at" FROM `mail_opt_outs`;--> statement-breakpoint
DROP TABLE `mail_opt_outs`;--> statement-breakpoint
ALTER TABLE `__new_mail_opt_outs` RENAME TO `mail_opt_outs`;--> statement-breakpoint
PRAGMA foreign_keys=ON;