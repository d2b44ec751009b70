((call method: (_) @f) @assertion (#match? @f "(?i)assert|expect|should|refute|must|wont|verify|is_expected|raise|check|have_"))
((identifier) @f @assertion (#match? @f "^(is_expected|raise|expect)"))
