ALTER TABLE `coaching_applications` ADD `isSpam` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `coaching_bookings` ADD `isSpam` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `isSpam` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `replyTo` text;