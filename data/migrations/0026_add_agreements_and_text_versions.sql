ALTER TABLE `coaching_bookings` ADD `agreed` text;--> statement-breakpoint
ALTER TABLE `coaching_bookings` ADD `agreedBy` text;--> statement-breakpoint
ALTER TABLE `coaching_bookings` ADD `agreedAt` text;--> statement-breakpoint
ALTER TABLE `coaching_bookings` ADD `agreedVersion` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `video_texts` ADD `version` integer DEFAULT 1 NOT NULL;