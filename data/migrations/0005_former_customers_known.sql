-- Customers that gave way to a new one before there was a column for it: the audit tells whose they were.
UPDATE `customers` SET `formerUserId` = (
	SELECT `targetId` FROM `audit_entries`
	WHERE `action` = 'customer.forgotten' AND `detail` ->> 'customer' = `customers`.`stripeCustomerId`
		AND `targetId` IN (SELECT `id` FROM `users`)
	LIMIT 1
) WHERE `userId` IS NULL AND `formerUserId` IS NULL AND `removedAt` IS NULL;
