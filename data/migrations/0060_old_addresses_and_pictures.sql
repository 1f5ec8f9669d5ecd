CREATE TABLE `old_addresses` (
	`path` text PRIMARY KEY NOT NULL,
	`postId` text,
	`to` text,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`postId`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "old_addresses_target" CHECK(("postId" is null) <> ("to" is null))
);
--> statement-breakpoint
CREATE INDEX `old_addresses_post` ON `old_addresses` (`postId`);--> statement-breakpoint
CREATE TABLE `imported_pictures` (
	`source` text PRIMARY KEY NOT NULL,
	`mediaId` text NOT NULL,
	`isNew` integer DEFAULT false NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imported_pictures_media` ON `imported_pictures` (`mediaId`);