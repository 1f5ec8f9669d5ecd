CREATE TABLE `progress_days` (
	`userId` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`changes` integer NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `membership_applications` ADD `earlier` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `lastSeenAt` text;