ALTER TABLE `podcast_episodes` ADD `pictureId` text REFERENCES media(id);--> statement-breakpoint
CREATE INDEX `podcast_episodes_picture` ON `podcast_episodes` (`pictureId`);