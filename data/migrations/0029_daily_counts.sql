CREATE TABLE `daily_counts` (
	`kind` text NOT NULL,
	`day` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	`pence` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `day`, `key`),
	CONSTRAINT "daily_counts_kind" CHECK("kind" in ('page_view', 'purchase', 'form_begun', 'form_submit', 'video_complete', 'login', 'source', 'test')),
	CONSTRAINT "daily_counts_key" CHECK(length("key") <= 200)
);
--> statement-breakpoint
INSERT INTO `daily_counts` (`kind`, `day`, `key`, `count`, `pence`)
	SELECT "name", substr("at", 1, 10), CASE "name" WHEN 'page_view' THEN coalesce("path", 'other') WHEN 'purchase' THEN "currency"
		WHEN 'login' THEN '' ELSE substr(coalesce("detail", 'other'), 1, 200) END,
		count(*), coalesce(CAST(sum(round(CAST("value" AS real) * 100)) AS integer), 0)
	FROM `analytics_events` WHERE "path" IS NULL OR "path" NOT LIKE '/admin%' GROUP BY 1, 2, 3;--> statement-breakpoint
DROP TABLE `analytics_events`;--> statement-breakpoint
CREATE INDEX `video_progress_video` ON `video_progress` (`videoId`,`completed`);