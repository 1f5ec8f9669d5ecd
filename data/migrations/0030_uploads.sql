CREATE TABLE `media_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`bytes` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`isPublic` integer DEFAULT false NOT NULL,
	`replacesId` text,
	`mediaId` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`replacesId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "media_uploads_bytes" CHECK("bytes" between 1 and 2147483648)
);
--> statement-breakpoint
CREATE INDEX `media_uploads_fingerprint` ON `media_uploads` (`fingerprint`);--> statement-breakpoint
CREATE TABLE `video_handouts` (
	`videoId` text NOT NULL,
	`mediaId` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	PRIMARY KEY(`videoId`, `position`),
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `video_handouts_media` ON `video_handouts` (`mediaId`);--> statement-breakpoint
-- Within the transaction of a migration foreign keys stay on: the rows that name a file wait aside while its table is made anew.
CREATE TABLE `__kept_video_files` AS SELECT * FROM `video_files`;--> statement-breakpoint
DELETE FROM `video_files`;--> statement-breakpoint
CREATE TABLE `__new_media` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`format` text NOT NULL,
	`name` text NOT NULL,
	`isPublic` integer DEFAULT false NOT NULL,
	`createdAt` text NOT NULL,
	`replacedAt` text,
	CONSTRAINT "media_sha256" CHECK(length("sha256") = 64),
	CONSTRAINT "media_bytes" CHECK("bytes" between 1 and 2147483648),
	CONSTRAINT "media_format" CHECK("format" in ('mp4', 'webm', 'mp3', 'm4a', 'ogg', 'jpg', 'png', 'webp', 'avif', 'pdf', 'docx', 'xlsx', 'pptx', 'vtt'))
);
--> statement-breakpoint
INSERT INTO `__new_media`("id", "sha256", "bytes", "format", "name", "isPublic", "createdAt") SELECT "id", "sha256", "bytes", "format", "name", "isPublic", "createdAt" FROM `media`;--> statement-breakpoint
DROP TABLE `media`;--> statement-breakpoint
ALTER TABLE `__new_media` RENAME TO `media`;--> statement-breakpoint
INSERT INTO `video_files`("videoId", "mediaId", "position") SELECT "videoId", "mediaId", "position" FROM `__kept_video_files`;--> statement-breakpoint
DROP TABLE `__kept_video_files`;--> statement-breakpoint
CREATE UNIQUE INDEX `media_content` ON `media` (`sha256`,`isPublic`);--> statement-breakpoint
ALTER TABLE `member_videos` ADD `availableFrom` text;--> statement-breakpoint
ALTER TABLE `video_texts` ADD `captionsFrom` text;