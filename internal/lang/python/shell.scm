((call function: (_) @f arguments: (argument_list . (_) @value)) @sink (#any-of? @f "os.system" "os.popen" "subprocess.getoutput" "subprocess.getstatusoutput"))
((call function: (_) @f arguments: (argument_list . (_) @value (keyword_argument name: (identifier) @k value: (true)))) @sink (#match? @f "^subprocess\\.|^(run|call|Popen|check_output|check_call)$") (#eq? @k "shell"))
