extension FiguresTable {
    /// The SQL that creates the table of figures.
    ///
    /// Each row is a count of one figure on one day, for an app, for a campaign of the app, or for a message.
    ///
    /// - `figures.message`: the message's number; 0 for a row of an app or of a campaign.
    /// - `figures.campaign`: the campaign; empty for a row of an app or of a message.
    /// - `figures.day`: the number of days since 1970, in UTC (``FigureDay``).
    /// - `figures.name`: ``Figure/name``.
    static let creation = """
        CREATE TABLE figures (
            message INTEGER NOT NULL,
            app INTEGER NOT NULL,
            campaign TEXT NOT NULL,
            day INTEGER NOT NULL,
            name TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (message, app, campaign, day, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX figures_by_day ON figures (day) WHERE message = 0;
        """
}
