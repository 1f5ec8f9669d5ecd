CREATE TABLE `inbox_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`about` text NOT NULL,
	`aboutId` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`authorId` text,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`authorId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "inbox_notes_about_kind" CHECK("about" in ('membership-applications', 'coaching-applications', 'coaching-bookings', 'contacts', 'quotient-orders')),
	CONSTRAINT "inbox_notes_kind" CHECK("kind" in ('note', 'reply', 'invitation'))
);
--> statement-breakpoint
CREATE INDEX `inbox_notes_about` ON `inbox_notes` (`aboutId`,`id`);