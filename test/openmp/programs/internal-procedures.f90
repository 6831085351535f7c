! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: %on2 | grep -x ' ok'
! RUN: %on3 | grep -x ' ok'
! RUN: %full %on4 | grep -x ' ok'
! RUN: %build-f90 -O0
! RUN: %on3 | grep -x ' ok'
! Internal procedures that use variables of their host, as arguments and by procedure pointers, called
! by threads of all nodes: flang puts code that knows the host's frame on the host's stack. The host
! and its threads have several of them, one after the other, at the same places.
module integration
  implicit none
  abstract interface
    real(8) function curve(x)
      real(8), intent(in) :: x
    end function
  end interface
  procedure(curve), pointer :: chosen => null()
contains
  real(8) function integral(f, from, to, steps)
    procedure(curve) :: f
    real(8), intent(in) :: from, to
    integer, intent(in) :: steps
    integer :: i
    integral = 0
    !$omp parallel do reduction(+: integral)
    do i = 1, steps
      integral = integral + f(from + (to - from) * (i - 0.5d0) / steps)
    end do
    integral = integral * (to - from) / steps
  end function
  real(8) function applied(f, x)
    procedure(curve) :: f
    real(8), intent(in) :: x
    !DIR$ NOINLINE
    applied = f(x)
  end function
end module

program internal
  use integration
  implicit none
  integer :: round, failures = 0, i
  real(8) :: sums(64)

  do round = 1, 5
    call host(dble(round))
    call other_host(round)
  end do
  ! Each thread is a host of its own.
  !$omp parallel do schedule(static, 1)
  do i = 1, 64
    call local_host(i)
  end do
  do i = 1, 64
    if (sums(i) /= 3 * i + 1) failures = failures + 1
  end do
  if (failures == 0) print '(a)', ' ok'
contains
  subroutine local_host(number)
    integer, intent(in) :: number
    real(8) :: factor
    factor = 3
    sums(number) = applied(line, dble(number))
  contains
    real(8) function line(x)
      real(8), intent(in) :: x
      line = factor * x + 1
    end function
  end subroutine
end program

subroutine host(slope)
  use integration
  implicit none
  real(8), intent(in) :: slope
  real(8) :: offset
  integer :: i
  offset = 2
  call check(integral(line, 0d0, 2d0, 1000), 2 * slope + 4)
  offset = 5
  chosen => line
  call check(integral(chosen, 0d0, 2d0, 1000), 2 * slope + 10)
  !$omp parallel do
  do i = 1, 64
    if (abs(chosen(dble(i)) - slope * i - 5) > 1d-9) call check(chosen(dble(i)), slope * i + 5)
  end do
contains
  real(8) function line(x)
    real(8), intent(in) :: x
    line = slope * x + offset
  end function
  subroutine check(got, wanted)
    real(8), intent(in) :: got, wanted
    if (abs(got - wanted) < 1d-9) return
    print *, 'got', got, 'instead of', wanted
    error stop 1
  end subroutine
end subroutine

subroutine other_host(power)
  use integration
  implicit none
  integer, intent(in) :: power
  real(8) :: area
  area = integral(curve_of_power, 0d0, 1d0, 20000)
  if (abs(area - 1d0 / (power + 1)) > 1d-6) then
    print *, 'power', power, 'got', area
    error stop 1
  end if
contains
  real(8) function curve_of_power(x)
    real(8), intent(in) :: x
    curve_of_power = x**power
  end function
end subroutine
