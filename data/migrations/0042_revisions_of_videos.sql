ALTER TABLE `member_videos` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Whoever writes: a list that was read before asks what has changed since by this number alone.
CREATE TRIGGER `member_videos_revision` AFTER UPDATE ON `member_videos`
WHEN new."revision" = old."revision" BEGIN
	UPDATE `member_videos` SET "revision" = old."revision" + 1 WHERE "id" = new."id";
END;
