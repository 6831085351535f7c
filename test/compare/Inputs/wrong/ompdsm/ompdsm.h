// ompdsm.h
// bench/compare: regular, tolerance 0
