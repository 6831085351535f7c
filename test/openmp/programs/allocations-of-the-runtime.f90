! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: env OMPDSM_STATS_FILE=%t.json %on2 | grep -x ' ok'
! RUN: env OMPDSM_STATS_FILE=%t.json %on3 | grep -x ' ok'
! What flang's runtime allocates for the program (pointers, source=, mold=, variables that are assigned
! to, components) moves to who writes it, as what compiled code allocates: in 40 sweeps over each by all
! nodes, only the first ones fetch much. The memory is used again and again, by arrays that others have
! read before, so that what the runtime writes there has to reach them.
! RUN: %python -c "import json; n = json.load(open('%t.json'))['nodes']; f = sum(x['bytes_fetched'] for x in n); assert 0 < f < 60e6, f"
program allocations
  implicit none
  integer, parameter :: n = 100000
  type state
    real(8), allocatable :: h(:), g(:)
  end type
  integer :: round, failures = 0
  real(8), allocatable :: a(:), b(:), c(:)
  real(8), pointer :: p(:), q(:)
  type(state) :: first, second

  allocate (b(n))
  b = 1
  do round = 1, 2
    allocate (a(n), source=2d0)
    call sweep(a, 2d0)
    deallocate (a)
    a = b
    call sweep(a, 1d0)
    deallocate (a)
    a = [b]
    call sweep(a, 1d0)
    a = b * 3
    call sweep(a, 3d0)
    c = a(1:n/2)
    if (any(c /= a(1:n/2))) failures = failures + 1
    deallocate (a, c)
    allocate (a, mold=b)
    a = 4
    call sweep(a, 4d0)
    deallocate (a)
    allocate (p(n))
    p = 5
    call sweep(p, 5d0)
    deallocate (p)
    allocate (q(n), source=6d0)
    call sweep(q, 6d0)
    deallocate (q)
    allocate (first%h(n), first%g(n))
    first%h = 7
    first%g = 8
    second = first
    call sweep(second%h, 7d0)
    call sweep(second%g, 8d0)
    first = second
    call expect(first%h, 7d0, 40)
    deallocate (first%h, first%g, second%h, second%g)
  end do
  if (failures == 0) print '(a)', ' ok'
contains
  subroutine sweep(x, value)
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: value
    integer :: i, t
    do t = 1, 40
      !$omp parallel do
      do i = 1, size(x)
        x(i) = x(i) + 1
      end do
    end do
    call expect(x, value, 40)
  end subroutine
  subroutine expect(x, value, added)
    real(8), intent(in) :: x(:), value
    integer, intent(in) :: added
    integer :: i, wrong
    wrong = 0
    ! Backwards: by threads of other nodes than those that wrote.
    !$omp parallel do reduction(+: wrong)
    do i = size(x), 1, -1
      if (x(i) /= value + added) wrong = wrong + 1
    end do
    if (wrong /= 0) then
      print *, wrong, 'wrong of value', value
      failures = failures + 1
    end if
  end subroutine
end program
