// Wrong on purpose: exit code 0, but no "ok". The runner must report it.

// CANARY: printed '' instead of 'ok'
int main(void) { return 0; }
