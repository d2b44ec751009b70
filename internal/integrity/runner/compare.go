package runner

// Compare judges the difference between two versions of a configuration file,
// workflow or autoloaded file. A nil before is a new file, a nil after one that
// is gone. Lines of violations count in after, or in before for what is gone.
func Compare(path string, before, after []byte) Result { return Result{} }
