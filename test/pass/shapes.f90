! Loops of Fortran: assumed shape (strides from descriptors), explicit shape, collapse, allocatables, sections. No check
! stays in any of them.
! REQUIRES: llvm=22
! RUN: mkdir -p %t.modules
! RUN: %flang -O3 -fopenmp -fpass-plugin=%plugin -Rpass=ompdsm -Rpass-missed=ompdsm -module-dir %t.modules -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="check stays"
! CHECK-COUNT-12: remark: {{check moved|no check}}
module m
contains
subroutine assumed(a, b)
  real(8), intent(inout) :: a(:)
  real(8), intent(in) :: b(:)
  integer :: i
  !$omp parallel do
  do i = 1, size(a)
    a(i) = b(i) + 1
  end do
end subroutine
subroutine strided(a)
  real(8), intent(inout) :: a(:)
  a(1::2) = 0
end subroutine
subroutine matrix(a, b, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  real(8), intent(in) :: b(n, n)
  integer :: i, j
  !$omp parallel do
  do j = 2, n - 1
    do i = 2, n - 1
      a(i, j) = b(i - 1, j) + b(i + 1, j) + b(i, j - 1)
    end do
  end do
end subroutine
subroutine collapsed(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  !$omp parallel do collapse(2)
  do j = 1, n
    do i = 1, n
      a(i, j) = i + j
    end do
  end do
end subroutine
subroutine alloc(n, s)
  integer, intent(in) :: n
  real(8), intent(out) :: s
  real(8), allocatable :: a(:)
  integer :: i
  allocate(a(n))
  !$omp parallel do
  do i = 1, n
    a(i) = i
  end do
  s = 0
  !$omp parallel do reduction(+:s)
  do i = 1, n
    s = s + a(i)
  end do
end subroutine
end module
