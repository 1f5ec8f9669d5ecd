PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_inbox_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`about` text NOT NULL,
	`aboutId` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`authorId` text,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`authorId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "inbox_notes_about_kind" CHECK("about" in ('membership-applications', 'coaching-applications', 'coaching-bookings', 'contacts', 'quotient-orders', 'members')),
	CONSTRAINT "inbox_notes_kind" CHECK("kind" in ('note', 'reply', 'invitation'))
);
--> statement-breakpoint
INSERT INTO `__new_inbox_notes`("id", "about", "aboutId", "kind", "text", "authorId", "createdAt") SELECT "id", "about", "aboutId", "kind", "text", "authorId", "createdAt" FROM `inbox_notes`;--> statement-breakpoint
DROP TABLE `inbox_notes`;--> statement-breakpoint
ALTER TABLE `__new_inbox_notes` RENAME TO `inbox_notes`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `inbox_notes_about` ON `inbox_notes` (`aboutId`,`id`);--> statement-breakpoint
ALTER TABLE `users` ADD `accessUntil` text;--> statement-breakpoint
ALTER TABLE `users` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `isNextFree` integer DEFAULT false NOT NULL;