CREATE TABLE `content_drafts` (
	`page` text NOT NULL,
	`userId` text NOT NULL,
	`entries` text NOT NULL,
	`version` integer NOT NULL,
	`updatedAt` text NOT NULL,
	PRIMARY KEY(`page`, `userId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
