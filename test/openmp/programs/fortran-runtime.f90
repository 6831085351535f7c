! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: %on1 | grep -x ' ok'
! RUN: %on2 | grep -x ' ok'
! RUN: %on3 | grep -x ' ok'
! RUN: %full %on4 | grep -x ' ok'
! RUN: %build-f90 -O0
! RUN: %on2 | grep -x ' ok'
! RUN: %on3 | grep -x ' ok'
! What the Fortran runtime reads and writes of arrays that other nodes have changed: input and output of
! arrays and sections, in files and texts, intrinsic functions, assignment with reallocation.
module checks
  implicit none
  integer :: failures = 0
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (.not. condition) then
      failures = failures + 1
      print *, 'wrong: ', what
    end if
  end subroutine
end module

program runtime
  use checks
  implicit none
  integer, parameter :: n = 4000
  real(8), allocatable :: x(:), w(:), matrix(:, :)
  real(8) :: g(n), back(n)
  integer :: i, step, k(3)
  character(len=20) :: names(4)
  character(len=80) :: line
  logical :: flags(8)
  allocate (x(n), matrix(64, 64))
  ! The second time, all nodes have had the pages before.
  do step = 1, 3
    !$omp parallel do
    do i = 1, n
      x(i) = i + step
      g(i) = 2 * i + step
    end do
    !$omp parallel do
    do i = 1, 64
      matrix(:, i) = i * step
    end do
    !$omp parallel do
    do i = 1, 4
      write (names(i), '(a,i0,a,i0)') 'name', i, '-', step
    end do
    !$omp parallel do
    do i = 1, 8
      flags(i) = mod(i, 2) == 0
    end do
    write (line, '(5f8.1)') x(n - 4:n)
    call expect(line == repeat(' ', 0)//format_of([(real(n - 5 + i + step, 8), i=1, 5)]), 'section')
    write (line, '(4f8.1)') matrix(3, 61:64)
    call expect(line == format_of([(real((60 + i) * step, 8), i=1, 4)]), 'strided section')
    call expect(sum(x) == n * (n + 1) / 2 + n * step, 'sum')
    call expect(maxval(g) == 2 * n + step, 'maxval')
    call expect(all(minloc(x) == [1]), 'minloc')
    call expect(count(flags) == 4 .and. any(flags), 'count, any')
    call expect(all(matmul(matrix(1:2, :), matrix(:, 1:2)) == reshape( &
      [2080, 2080, 4160, 4160], [2, 2]) * step * step), 'matmul')
    call expect(trim(names(3)) == 'name3-'//char(48 + step), 'trim')
    call expect(index(names(4), '4') == 5, 'index')
    w = x
    call expect(size(w) == n .and. w(n) == n + step, 'assignment that allocates')
    w = cshift(x(1:3), 1)
    call expect(all(w == [2 + step, 3 + step, 1 + step]), 'cshift')
    w = pack(x, x > n)
    call expect(size(w) == step .and. all(w > n), 'pack')

    open (10, status='scratch', form='unformatted')
    write (10) x, matrix
    rewind (10)
    read (10) back, matrix
    call expect(all(back == x) .and. matrix(5, 64) == 64 * step, 'unformatted')
    close (10)
    open (11, status='scratch')
    write (11, '(i0)') int(x(1:100))
    rewind (11)
    !$omp parallel do
    do i = 1, n
      x(i) = 0
    end do
    read (11, *) x(1:100)
    !$omp parallel do
    do i = 1, n
      x(i) = x(i) + 1
    end do
    call expect(all(x(1:100) == [(i + step + 1, i=1, 100)]) .and. all(x(101:) == 1), 'formatted')
    close (11)
    write (line, '(3i4)') 1, 2, step
    read (line, '(3i4)') k
    !$omp parallel do
    do i = 1, 3
      k(i) = k(i) * 2
    end do
    call expect(all(k == [2, 4, 2 * step]), 'text')
    !$omp parallel do private(line)
    do i = 1, 100
      write (line, '(f10.3)') g(i)
      read (line, *) back(i)
    end do
    call expect(all(back(1:100) == g(1:100)), 'texts of threads')
  end do
  if (failures == 0) print '(a)', ' ok'
contains
  function format_of(values) result(text)
    real(8), intent(in) :: values(:)
    character(len=80) :: text, one
    integer :: at
    text = ''
    do at = 1, size(values)
      write (one, '(f8.1)') values(at)
      text = text(1:8 * (at - 1))//one(1:8)
    end do
  end function
end program
