ALTER TABLE `customers` ADD `formerUserId` text REFERENCES users(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `removedAt` text;--> statement-breakpoint
CREATE INDEX `customers_former_user` ON `customers` (`formerUserId`);
