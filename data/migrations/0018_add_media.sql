CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`format` text NOT NULL,
	`name` text NOT NULL,
	`isPublic` integer DEFAULT false NOT NULL,
	`createdAt` text NOT NULL,
	CONSTRAINT "media_sha256" CHECK(length("sha256") = 64),
	CONSTRAINT "media_bytes" CHECK("bytes" between 1 and 2147483648),
	CONSTRAINT "media_format" CHECK("format" in ('mp4', 'webm', 'mp3', 'm4a', 'ogg', 'jpg', 'png', 'webp', 'avif', 'pdf'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_content` ON `media` (`sha256`,`isPublic`);--> statement-breakpoint
CREATE TABLE `video_files` (
	`videoId` text NOT NULL,
	`mediaId` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`videoId`, `position`),
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `video_files_media` ON `video_files` (`mediaId`);