CREATE TABLE `blog_redirects` (
	`slug` text PRIMARY KEY NOT NULL,
	`postId` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`postId`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_redirects_post` ON `blog_redirects` (`postId`);--> statement-breakpoint
CREATE TABLE `blog_versions` (
	`postId` text NOT NULL,
	`version` integer NOT NULL,
	`post` text NOT NULL,
	`actor` text,
	`createdAt` text NOT NULL,
	PRIMARY KEY(`postId`, `version`),
	FOREIGN KEY (`postId`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `call_mornings` (
	`coach` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`sendsAt` text NOT NULL,
	`isOn` integer DEFAULT true NOT NULL,
	`lastDay` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updatedAt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `podcast_episodes` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`notes` text,
	`number` integer,
	`mediaId` text NOT NULL,
	`seconds` integer NOT NULL,
	`isExplicit` integer DEFAULT false NOT NULL,
	`isPublished` integer DEFAULT false NOT NULL,
	`publishedAt` text,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`mediaId`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `podcast_episodes_published` ON `podcast_episodes` (`isPublished`,`publishedAt`);--> statement-breakpoint
CREATE INDEX `podcast_episodes_media` ON `podcast_episodes` (`mediaId`);--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `shareImage` text;--> statement-breakpoint
ALTER TABLE `call_rules` ADD `version` integer DEFAULT 1 NOT NULL;