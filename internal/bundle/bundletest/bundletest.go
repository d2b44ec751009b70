// Package bundletest holds a spec in several documents for tests.
package bundletest

// Folder is where the bundle lies.
const Folder = "specs/checkout"

// Good is a bundle that is complete and linked: two goals, two functional
// requirements and one of quality, a decision, and an epic of two stories.
func Good() map[string]string {
	head := func(kind string) string {
		return "---\nsession_id: SPEC-checkout-2026-01-31\ndocument_type: " + kind + "\n---\n\n"
	}
	files := map[string]string{
		"spec-config.json": "{\n  \"session_id\": \"SPEC-checkout-2026-01-31\",\n  \"topic\": \"Checkout of a small shop\",\n" +
			"  \"complexity\": \"moderate\"\n}\n",
		"discovery-context.json": "{\"constraints\": [\"no cards are stored\"]}\n",
		"product-brief.md": head("product-brief") +
			"# Checkout\n\nCustomers of a small shop leave when paying takes long. The shop wants them to finish.\n\n" +
			"## Goals\n\n| Goal | What | Measure |\n|---|---|---|\n| G-001 | Fewer abandoned carts | under 20 % |\n" +
			"| G-002 | No support calls about receipts | 0 a week |\n",
		"requirements/_index.md": head("requirements-index") + "# Requirements\n\n| Requirement | Priority | Goal |\n|---|---|---|\n" +
			"| [REQ-001](REQ-001-pay.md) | Must | G-001 |\n| [REQ-002](REQ-002-receipt.md) | Must | G-002 |\n" +
			"| [NFR-P-001](NFR-P-001-speed.md) | Should | G-001 |\n",
		"requirements/REQ-001-pay.md": "---\nid: REQ-001\ntraces_to: [G-001]\n---\n\n# REQ-001: Pay with one click\n\n" +
			"A returning customer pays with the stored token.\n\n" +
			"## Acceptance Criteria\n\n- [ ] `pay` with a stored token returns a `Receipt` with status 201.\n" +
			"- [ ] `pay` without a token is refused with status 402.\n",
		"requirements/REQ-002-receipt.md": "# REQ-002: Send a receipt\n\nServes goal G-002.\n\n## Acceptance Criteria\n\n" +
			"1. Given a payment, when it is captured, then one mail with its amount is sent within 60 seconds.\n",
		"requirements/NFR-P-001-speed.md": "# NFR-P-001: Speed\n\nServes G-001.\n\n## Acceptance Criteria\n\n" +
			"- `pay` answers within 800 ms for 95 of 100 requests.\n",
		"architecture/_index.md": head("architecture-index") +
			"# Architecture\n\n```mermaid\ngraph LR\n  shop --> provider\n```\n\n- [ADR-001](ADR-001-tokens.md): tokens of the provider\n",
		"architecture/ADR-001-tokens.md": "# ADR-001: Tokens of the payment provider\n\n" +
			"For REQ-001 the shop keeps the provider's token.\n\n## Alternatives\n\n" +
			"Storing cards was considered. Cons: certification.\n",
		"epics/_index.md": head("epics-index") + "# Epics\n\n- [EPIC-001](EPIC-001-checkout.md): REQ-001, REQ-002\n",
		"epics/EPIC-001-checkout.md": "# EPIC-001: Checkout\n\nCarries out REQ-001 and REQ-002.\n\n### STORY-001-001: Pay\n\n" +
			"**Size:** M. From REQ-001.\n\n" +
			"### STORY-001-002: Receipt\n\n**Size:** S. From REQ-002.\n",
		"discussions/discuss-001.md": "# Round 1\n\nWe talked about tokens.\n",
	}
	out := map[string]string{}
	for name, text := range files {
		out[Folder+"/"+name] = text
	}
	return out
}
