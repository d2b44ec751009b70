package testdiff

// maxTable bounds the table of an alignment; longer lists are aligned by what
// is unique in them.
const maxTable = 1 << 18

// align pairs equal elements of two lists in order, as many as possible. It
// answers for each list with the index of the partner in the other, -1 if there
// is none.
func align(a, b []string) (toB, toA []int) {
	toB, toA = none(len(a)), none(len(b))
	pair := func(i, j int) { toB[i], toA[j] = j, i }
	lo := 0
	for lo < len(a) && lo < len(b) && a[lo] == b[lo] {
		pair(lo, lo)
		lo++
	}
	hiA, hiB := len(a), len(b)
	for hiA > lo && hiB > lo && a[hiA-1] == b[hiB-1] {
		hiA, hiB = hiA-1, hiB-1
		pair(hiA, hiB)
	}
	if (hiA-lo)*(hiB-lo) <= maxTable {
		alignTable(a[lo:hiA], b[lo:hiB], func(i, j int) { pair(lo+i, lo+j) })
	} else {
		alignUnique(a[lo:hiA], b[lo:hiB], func(i, j int) { pair(lo+i, lo+j) })
	}
	return toB, toA
}

func none(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// alignTable is the longest common subsequence.
func alignTable(a, b []string, pair func(i, j int)) {
	width := len(b) + 1
	best := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			switch {
			case a[i] == b[j]:
				best[i*width+j] = best[(i+1)*width+j+1] + 1
			default:
				best[i*width+j] = max(best[(i+1)*width+j], best[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pair(i, j)
			i, j = i+1, j+1
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// alignUnique pairs, in order, elements that are in both lists once, and what
// follows them.
func alignUnique(a, b []string, pair func(i, j int)) {
	count := make(map[string]int, len(a))
	where := make(map[string]int, len(b))
	for _, x := range a {
		count[x]++
	}
	for j, x := range b {
		if count[x] == 1 {
			if _, twice := where[x]; twice {
				where[x] = -1
			} else {
				where[x] = j
			}
		}
	}
	next := 0
	for i := 0; i < len(a); i++ {
		j, ok := where[a[i]]
		if !ok || j < next {
			continue
		}
		for i < len(a) && j < len(b) && a[i] == b[j] {
			pair(i, j)
			i, j = i+1, j+1
		}
		i--
		next = j
	}
}
