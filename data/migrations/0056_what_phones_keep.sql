CREATE TABLE `kept_videos` (
	`sid` text NOT NULL,
	`videoId` text NOT NULL,
	`keptAt` text NOT NULL,
	PRIMARY KEY(`sid`, `videoId`),
	FOREIGN KEY (`sid`) REFERENCES `sessions`(`sid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kept_videos_video` ON `kept_videos` (`videoId`);--> statement-breakpoint
CREATE TABLE `skipped_versions` (
	`videoId` text NOT NULL,
	`form` text NOT NULL,
	`film` text NOT NULL,
	`reason` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`videoId`, `form`),
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "skipped_versions_form" CHECK("form" in ('light', 'sound')),
	CONSTRAINT "skipped_versions_reason" CHECK("reason" in ('removed', 'unreadable', 'no-sound', 'no-smaller', 'too-slow', 'refused'))
);
--> statement-breakpoint
CREATE TABLE `video_versions` (
	`videoId` text NOT NULL,
	`form` text NOT NULL,
	`mediaId` text NOT NULL,
	`madeFrom` text,
	PRIMARY KEY(`videoId`, `form`),
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "video_versions_form" CHECK("form" in ('light', 'sound'))
);
--> statement-breakpoint
CREATE INDEX `video_versions_media` ON `video_versions` (`mediaId`);