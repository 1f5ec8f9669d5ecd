CREATE TABLE `video_tellings` (
	`videoId` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`toldAt` text,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `video_tellings_open` ON `video_tellings` (`at`) WHERE "toldAt" is null;