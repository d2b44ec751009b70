package prove

import "syscall"

// endWithParent has a process end when the one that started it does, however that ends.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
