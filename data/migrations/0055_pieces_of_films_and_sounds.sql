CREATE TABLE `media_pieces` (
	`file` text NOT NULL,
	`index` integer NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`file`, `index`),
	CONSTRAINT "media_pieces_sha256" CHECK(length("sha256") = 64)
);
