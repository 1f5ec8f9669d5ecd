CREATE TABLE `video_positions` (
	`userId` text NOT NULL,
	`videoId` text NOT NULL,
	`seconds` integer NOT NULL,
	`at` text NOT NULL,
	`deviceId` text NOT NULL,
	PRIMARY KEY(`userId`, `videoId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "video_positions_seconds" CHECK("seconds" >= 0)
);
--> statement-breakpoint
CREATE TABLE `video_texts` (
	`videoId` text PRIMARY KEY NOT NULL,
	`notes` text,
	`transcript` text,
	`captions` text,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `member_videos` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
WITH RECURSIVE `letters`(`id`, `rest`, `slug`) AS (
	SELECT `id`, lower(`title`), '' FROM `member_videos`
	UNION ALL
	SELECT `id`, substr(`rest`, 2), CASE
		WHEN substr(`rest`, 1, 1) GLOB '[a-z0-9]' THEN `slug` || substr(`rest`, 1, 1)
		WHEN substr(`rest`, 1, 1) IN (' ', '-') AND `slug` <> '' AND `slug` NOT LIKE '%-' THEN `slug` || '-'
		ELSE `slug` END
	FROM `letters` WHERE `rest` <> ''
), `made` AS (
	SELECT `id`, coalesce(nullif(rtrim(`slug`, '-'), ''), 'video') AS `slug` FROM `letters` WHERE `rest` = ''
), `placed` AS (
	SELECT `id`, `slug`, row_number() OVER (PARTITION BY `slug` ORDER BY `id`) AS `place` FROM `made`
)
UPDATE `member_videos` SET `slug` = iif(`placed`.`place` = 1, `placed`.`slug`, `placed`.`slug` || '-' || substr(`member_videos`.`id`, -8))
FROM `placed` WHERE `placed`.`id` = `member_videos`.`id`;--> statement-breakpoint
CREATE UNIQUE INDEX `member_videos_slug` ON `member_videos` (`slug`);