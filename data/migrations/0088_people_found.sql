CREATE TABLE `person_texts` (
	`id` integer PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`text` text NOT NULL,
	`digits` text NOT NULL,
	`isOld` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_texts_user` ON `person_texts` (`userId`);--> statement-breakpoint
CREATE INDEX `person_texts_old` ON `person_texts` (`id`) WHERE "isOld" = 1;--> statement-breakpoint
CREATE VIRTUAL TABLE `people_found` USING fts5(`text`, `digits`, content = 'person_texts', content_rowid = 'id', columnsize = 0, tokenize = 'trigram case_sensitive 1');--> statement-breakpoint
-- What's taken out of the index is overwritten there.
INSERT INTO `people_found` (`people_found`, `rank`) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE TRIGGER `person_texts_added` AFTER INSERT ON `person_texts` BEGIN
	INSERT INTO `people_found` (rowid, `text`, `digits`) VALUES (new.`id`, new.`text`, new.`digits`);
END;--> statement-breakpoint
CREATE TRIGGER `person_texts_removed` AFTER DELETE ON `person_texts` BEGIN
	INSERT INTO `people_found` (`people_found`, rowid, `text`, `digits`) VALUES ('delete', old.`id`, old.`text`, old.`digits`);
END;
