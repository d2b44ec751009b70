package question_test
import ("testing";"os";"context";"workflow-reviewer/internal/integrity/workaround/code";"workflow-reviewer/internal/syntax")
func TestDump(t *testing.T){ p:=os.Getenv("DUMP"); if p==""{t.Skip()}; b,_:=os.ReadFile(p); l,_:=syntax.LanguageOf(p); f,_,err:=code.Parse(context.Background(),p,l,b); t.Log(err); f.Root.Walk(func(n *code.Node)bool{ if n.Is(code.Handler){t.Log("HANDLER",n.Text,n.String())}; return true}); t.Log(f.Root.String()) }
