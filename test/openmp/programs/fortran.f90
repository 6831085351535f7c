! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: %on2 | grep -x ' ok'
! RUN: %on3 | grep -x ' ok'
! RUN: %full %on4 | grep -x ' ok'
! RUN: %build-f90 -O0
! RUN: %on3 | grep -x ' ok'
! A first program in Fortran: allocated arrays, COMMON, module and SAVE variables, automatic arrays,
! schedules, collapse, reductions, sections, single with copyprivate, critical, atomic, ordered,
! threadprivate COMMON with copyin, workshare, tasks.
module state
  implicit none
  real(8), allocatable :: x(:), y(:, :)
  integer :: counter = 5
  type point
    real(8) :: position(3)
    integer :: id
  end type
  type(point), allocatable :: points(:)
contains
  subroutine scale(values, factor)
    real(8), intent(inout) :: values(:)
    real(8), intent(in) :: factor
    integer :: i
    !$omp parallel do schedule(static, 7)
    do i = 1, size(values)
      values(i) = values(i) * factor
    end do
  end subroutine
  recursive subroutine tree(depth, leaves)
    integer, intent(in) :: depth
    integer, intent(inout) :: leaves
    if (depth == 0) then
      !$omp atomic
      leaves = leaves + 1
      return
    end if
    !$omp task shared(leaves) firstprivate(depth)
    call tree(depth - 1, leaves)
    !$omp end task
    call tree(depth - 1, leaves)
    !$omp taskwait
  end subroutine
  integer function automatic(n)
    integer, intent(in) :: n
    integer :: work(n), i
    integer, save :: calls = 0
    !$omp parallel do schedule(guided)
    do i = 1, n
      work(i) = i
    end do
    calls = calls + 1
    automatic = sum(work) + calls
  end function
end module

program fortran
  use state
  use omp_lib
  implicit none
  integer, parameter :: n = 50000
  integer :: i, j, m, failures, private_value, order(100), place, leaves, threads, given
  real(8) :: s, z(1000)
  complex(8) :: c
  common /shared_block/ m, z
  common /own_block/ private_value
  !$omp threadprivate(/own_block/)
  failures = 0
  threads = omp_get_max_threads()

  allocate (x(n), y(100, 200), points(300))
  m = 7
  z = 1.5d0
  x = [(real(i, 8), i=1, n)]
  s = 0
  !$omp parallel do reduction(+:s)
  do i = 1, n
    x(i) = x(i) * 2
    s = s + x(i)
  end do
  if (s /= real(n, 8) * (n + 1)) failures = failures + 1

  !$omp parallel do collapse(2) schedule(dynamic, 50)
  do j = 1, 200
    do i = 1, 100
      y(i, j) = i * j + m
    end do
  end do
  if (sum(y) /= 5050d0 * 20100d0 + 7 * 20000) failures = failures + 1

  call scale(x, 3d0)
  call scale(x(1:n:2), 2d0)
  if (x(1) /= 12 .or. x(2) /= 12 .or. x(n) /= 6d0 * n) failures = failures + 1

  !$omp parallel do
  do i = 1, size(points)
    points(i)%position = [i * 1d0, i * 2d0, i * 3d0]
    points(i)%id = i
  end do
  s = 0
  do i = 1, size(points)
    s = s + points(i)%position(3) - points(i)%id
  end do
  if (s /= 2 * 45150d0) failures = failures + 1

  private_value = 40
  counter = 5
  !$omp parallel copyin(/own_block/)
  private_value = private_value + omp_get_thread_num()
  !$omp atomic
  counter = counter + 1
  !$omp critical (named)
  z(1) = z(1) + 1
  !$omp end critical (named)
  !$omp end parallel
  s = 0
  !$omp parallel reduction(+:s)
  s = s + private_value
  !$omp end parallel
  if (s /= 40d0 * threads + threads * (threads - 1) / 2) failures = failures + 1
  if (counter /= 5 + threads .or. z(1) /= 1.5d0 + threads) failures = failures + 1

  place = 0
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 100
    !$omp ordered
    place = place + 1
    order(place) = i
    !$omp end ordered
  end do
  if (any(order /= [(i, i=1, 100)])) failures = failures + 1

  i = 0
  j = 0
  !$omp parallel sections
  !$omp section
  i = 1
  !$omp section
  j = 2
  !$omp end parallel sections
  if (i + j /= 3) failures = failures + 1

  s = 0
  !$omp parallel private(given) reduction(+:s)
  !$omp single
  given = 11
  !$omp end single copyprivate(given)
  s = s + given
  !$omp end parallel
  if (s /= 11d0 * threads) failures = failures + 1

  !$omp parallel workshare
  x = x + 1
  where (z > 2) z = z * 2
  !$omp end parallel workshare
  if (x(1) /= 13 .or. z(1) /= 2 * (1.5d0 + threads) .or. z(2) /= 1.5d0) failures = failures + 1

  leaves = 0
  !$omp parallel
  !$omp single
  call tree(8, leaves)
  !$omp end single
  !$omp end parallel
  if (leaves /= 256) failures = failures + 1

  c = 0
  !$omp parallel do reduction(+:c)
  do i = 1, 10
    c = c + cmplx(i, -i, 8)
  end do
  if (c /= (55d0, -55d0)) failures = failures + 1
  if (automatic(100) /= 5051 .or. automatic(1000) /= 500502) failures = failures + 1

  deallocate (x, y)
  if (failures == 0) print '(a)', ' ok'
  if (failures /= 0) print *, failures, 'failures'
end program
