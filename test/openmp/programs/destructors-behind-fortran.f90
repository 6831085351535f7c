! REQUIRES: flang
! RUN: mkdir -p %t.modules
! RUN: printf '%%s' '#include <pthread.h>' > %t.c && printf '\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; int calls; __attribute__((destructor)) static void quit(void) { pthread_mutex_lock(&lock); calls++; pthread_mutex_unlock(&lock); }\n' >> %t.c
! RUN: %cc %t.c -c -o %t.o
! RUN: %build-f90 %t.o
! RUN: %on1 | grep -x ' 55'
! RUN: %on2 | grep -x ' 55'
! RUN: %on3 | grep -x ' 55'
! A destructor that synchronises runs when flang's runtime has ended: its units cannot be written out any more.
program destructors_behind_fortran
  implicit none
  integer :: i, s = 0
  !$omp parallel do reduction(+: s)
  do i = 1, 10
    s = s + i
  end do
  print '(a, i0)', ' ', s
end program
