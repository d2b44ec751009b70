package events

// Kinds are all kinds of events.
func Kinds() []Kind {
	return []Kind{
		RunStarted, Planned, Integrity, ReviewStarted, ReviewProgress, ReviewRetried, ReviewCompleted, Committed,
		Published, RunCompleted,
	}
}
