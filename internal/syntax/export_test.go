package syntax

import "unsafe"

// Grammar is a language's parse table.
func Grammar(l Language) unsafe.Pointer { return grammars[l]() }
